from	to
a	b
