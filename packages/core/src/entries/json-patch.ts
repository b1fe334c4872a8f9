export {
  applyPatch,
  type Operation,
  type ParsedPatch,
  type PatchOptions,
  type PatchOutcome,
  parsePatch,
} from '../rules/json-patch/index.ts'
