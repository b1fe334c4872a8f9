import type { AIConfig, AIConfigKeys } from '../../models/ai-configs/ai-config.ts'
import { aiConfigTargetings } from '../../models/ai-configs/ai-config-targeting.ts'
import { ownSettings } from '../../models/environments/approval-settings.ts'
import { type Environment, environments } from '../../models/environments/environment.ts'
import type { Context } from '../../operation/context.ts'
import { requiresApproval } from '../../rules/approval/guard.ts'
import type { Writer } from '../../storage/writer.ts'
import type { Action } from '../../vocabulary/policy-kinds.ts'
import type { ApprovalPass } from '../environments/approval-pass.ts'
import { requireBypass } from '../environments/require-approval.ts'
import { loadEnvironments } from '../flags/flag-state.ts'

/** Approval requests for AI configs do not exist, so only the bypass can be named. */
const bypassHint = 'set bypassRequiredApproval to change it without approval'

/**
 * Returns the actions that a change of a config in an environment requires in addition to those of the change itself
 * (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d31-approvals).
 */
export function configActions({ tags }: AIConfig, environment: Environment, pass: ApprovalPass): readonly Action[] {
  return isProtected(tags, environment) ? requireBypass(environment.key, pass, bypassHint) : []
}

/**
 * Rejects changes that apply to all environments when one of them requires approval: changes of variations, deletion,
 * and the removal of the tag that makes the config require approval.
 *
 * @param after undefined when the change alters the served variations, regardless of the tags.
 * @throws ApiError `method_not_allowed`; `forbidden` when the caller requests the bypass without the right to it.
 */
export async function requireApprovedConfig(
  context: Pick<Context<Writer, never>, 'tx' | 'demand'>,
  keys: AIConfigKeys,
  before: AIConfig,
  after: AIConfig | undefined,
  pass: ApprovalPass,
): Promise<void> {
  for (const environment of await loadEnvironments(context.tx, keys.projectKey)) {
    const environmentKeys = { ...keys, environmentKey: environment.key }
    context.tx.expect(environments, environmentKeys, environment)
    if (after && isProtected(after.tags, environment)) continue
    for (const action of configActions(before, environment, pass)) {
      await context.demand(action, aiConfigTargetings, environmentKeys)
    }
  }
}

function isProtected(tags: readonly string[], environment: Environment): boolean {
  const settings = ownSettings(environment, 'aiconfig')
  return settings !== undefined && requiresApproval(settings, tags)
}
