import type { AIConfigKeys } from '../../../models/ai-configs/ai-config.ts'
import { type AIConfigTargeting, aiConfigTargetings } from '../../../models/ai-configs/ai-config-targeting.ts'
import type { Reader } from '../../../storage/reader.ts'
import { maxEnvironments } from '../../environments/environments-response.ts'

/** Returns the changed targetings of a config, in all environments. */
export async function targetingsOf(tx: Reader, keys: AIConfigKeys): Promise<readonly AIConfigTargeting[]> {
  const { items } = await tx.list(
    aiConfigTargetings,
    { projectKey: keys.projectKey },
    { deep: true, where: [{ op: 'equals', field: 'key', value: keys.configKey }], limit: maxEnvironments },
  )
  return items
}
