u v weight
a b 2
