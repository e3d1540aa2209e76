Creator "x"
node [ id 0 ]
