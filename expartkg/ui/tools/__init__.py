"""What can be done with an explanation once it is there; each part is closed until it is wanted.

`keeping` takes it away and opens saved ones, `comparing` puts two side by side, `steering` changes
one and runs it again, `many` explains a whole table. `toolbox` puts them on the page.
"""
