// Users import this one module and get the declarations of all the others.
@_exported public import PassageAtomicStores
@_exported public import PassageDiagnostics
@_exported public import PassageEngine
@_exported public import PassageExpressions
@_exported public import PassageInspection
@_exported public import PassageMappings
@_exported public import PassageModels
@_exported public import PassagePlanning
@_exported public import PassagePrefilled
@_exported public import PassageProjects
@_exported public import PassageReaders
@_exported public import PassageRestoring
@_exported public import PassageStores
@_exported public import PassageValues
