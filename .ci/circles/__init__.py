"""Which folder of Sources names types of which, and whether folders name each other in a circle.

A folder is a module, or a folder inside a module. Files that lie directly in a module's folder
are a folder of their own, with the module's name.

What is seen, by name alone, in the text without comments and string literals (the code in an
interpolation counts):

- Types: struct, class, enum, protocol, actor, typealias and associated type, nested ones too. A
  name is looked up as Swift does: in the types around it, in what those inherit, in the file (for
  private types), in the module, in the imported modules. A generic parameter hides a type.
- Functions and variables outside types.
- Members that an extension adds to a type of another folder, when the name tells them without
  doubt: no other function, variable, case or subscript in Sources has the name, it is used after a
  point or inside the same type, and it is used in no file that cannot see the extension.

What is not seen: other members. A folder that calls a method of a value depends on the type of that
value only where it names it. Initialisers and operators that an extension adds are not seen either,
nor are members whose names occur twice. So an arrow that is drawn is there; one can be missing.
"""
