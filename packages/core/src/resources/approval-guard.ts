import { commitGuard } from '../operation/commit-guard.ts'
import { aiConfigGuard, targetingGuard, variationGuard } from './ai-configs/config-approval.ts'
import { environmentGuard, projectGuard } from './environments/environment-approval.ts'
import { configGuard, flagGuard } from './flags/changes/flag-approval.ts'
import { segmentGuard } from './segments/changes/segment-approval.ts'

/**
 * Checks before each commit that environments which require approval have approved what it changes
 * (docs/decisions/0023-enforce-approvals-in-the-write-path.md). Every engine has all of these rules, because engines of
 * other operations may share its storage.
 */
export const approvalGuard = /* @__PURE__ */ commitGuard([
  flagGuard,
  configGuard,
  segmentGuard,
  environmentGuard,
  projectGuard,
  aiConfigGuard,
  targetingGuard,
  variationGuard,
])
