// Platform differences in names: the C library, and the part of Foundation without regular
// expressions, formatters and XML, which is a module of its own outside Apple's platforms. Only
// this file distinguishes the platforms; all other code imports this module.

#if canImport(Darwin)
  @_exported public import Darwin
#elseif canImport(Musl)
  @_exported public import Musl
#elseif canImport(Glibc)
  @_exported public import Glibc
#endif

#if canImport(FoundationEssentials)
  @_exported public import FoundationEssentials
#else
  @_exported public import Foundation
#endif
