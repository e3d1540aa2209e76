user	item
Ann	Bob
