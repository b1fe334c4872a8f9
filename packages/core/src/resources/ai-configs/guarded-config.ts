import type { AIConfig, AIConfigKeys } from '../../models/ai-configs/ai-config.ts'
import { aiConfigTargetings } from '../../models/ai-configs/ai-config-targeting.ts'
import { ownSettings } from '../../models/environments/approval-settings.ts'
import { type Environment, environments } from '../../models/environments/environment.ts'
import type { Context } from '../../operation/context.ts'
import { requiresApproval } from '../../rules/approval/guard.ts'
import type { Writer } from '../../storage/writer.ts'
import type { Action } from '../../vocabulary/policy-kinds.ts'
import type { ApprovalPass } from '../environments/approval-pass.ts'
import { unapproved } from '../environments/require-approval.ts'
import { loadEnvironments } from '../flags/flag-state.ts'

/** There are no approval requests about AI configs. */
const way = 'bypassRequiredApproval asks to do without'

/** What it takes to change a config in an environment: actions besides those of the change (D31). */
export function configActions({ tags }: AIConfig, environment: Environment, pass: ApprovalPass): readonly Action[] {
  return isGuarded(tags, environment) ? unapproved(environment.key, pass, way) : []
}

/**
 * Refuses what changes a config in all environments at once, where one of them requires approval: what its variations
 * say, its removal, and the loss of the tag by which it is guarded.
 *
 * @param after undefined where what is served changes whatever the tags are.
 * @throws ApiError `method_not_allowed`; `forbidden` for whoever asks to do without and may not.
 */
export async function requireApprovedConfig(
  context: Pick<Context<Writer, never>, 'tx' | 'demand'>,
  keys: AIConfigKeys,
  before: AIConfig,
  after: AIConfig | undefined,
  pass: ApprovalPass,
): Promise<void> {
  for (const environment of await loadEnvironments(context.tx, keys.projectKey)) {
    const place = { ...keys, environmentKey: environment.key }
    context.tx.expect(environments, place, environment)
    if (after && isGuarded(after.tags, environment)) continue
    for (const action of configActions(before, environment, pass)) {
      await context.demand(action, aiConfigTargetings, place)
    }
  }
}

function isGuarded(tags: readonly string[], environment: Environment): boolean {
  const own = ownSettings(environment, 'aiconfig')
  return own !== undefined && requiresApproval(own, tags)
}
