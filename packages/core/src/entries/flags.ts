// Flags that a program declares.
export {
  type ComparingEngine,
  compareFlags,
  type CompareFlagsOptions,
  type FlagComparison,
} from '../engine/flags-in-code/compare-flags.ts'
export {
  bindFlags,
  connectFlags,
  type DefinedFlags,
  defineFlags,
  type FlagAccessors,
  type FlagEvaluator,
  type FlagsOf,
} from '../engine/flags-in-code/define-flags.ts'
export type {
  DeclaredFlags,
  DeclaredValue,
  FlagDeclaration,
  FlagDeclarations,
} from '../engine/flags-in-code/flag-declaration.ts'

// Flags with forced values, in tests and for single requests.
export { type ForcedValues, forceFlags } from '../engine/flags-in-code/force-flags.ts'
export {
  type ForcedFlagsCookieOptions,
  forcedFlagsCookie,
  readForcedFlags,
} from '../engine/flags-in-code/forced-flags-cookie.ts'

// The package `flags` of Vercel.
export {
  type FlagsAdapter,
  type FlagsDefinition,
  type FlagsProviderData,
  flagsAdapter,
  flagsProviderData,
} from '../engine/flags-in-code/flags-adapter.ts'
