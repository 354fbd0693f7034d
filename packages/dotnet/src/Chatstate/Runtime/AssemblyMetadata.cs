// What `IsAotCompatible` in a project has the SDK write: the code may be trimmed, and compiled ahead. A property of the project
// would say no more to those who use the package.
[assembly: global::System.Reflection.AssemblyMetadata("IsTrimmable", "True")]
[assembly: global::System.Reflection.AssemblyMetadata("IsAotCompatible", "True")]
