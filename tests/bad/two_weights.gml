graph [
 node [ id 0 ] node [ id 1 ]
 edge [ source 0 target 1 capacity 2 cost 3 ]
]
