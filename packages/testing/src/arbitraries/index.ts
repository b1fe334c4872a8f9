export { type Context, contexts, type MultiContext, type SingleContext } from './contexts.ts'
export { type FlagBody, flagBodies } from './flag-bodies.ts'
export { type JsonPatch, type JsonPatchOperation, jsonPatches, type PatchOptions } from './json-patches.ts'
export { type PolicyQuery, type PolicyVocabulary, policies, policyQueries, statements } from './policies.ts'
