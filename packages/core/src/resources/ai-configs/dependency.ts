import { type AIConfig, type AIConfigKeys, aiConfigs, type Dependency } from '../../models/ai-configs/ai-config.ts'
import type { Writer } from '../../storage/writer.ts'

/** Records that a resource uses a config. The config cannot be deleted while a resource uses it. */
export function addDependency(tx: Writer, keys: AIConfigKeys, config: AIConfig, dependency: Dependency): AIConfig {
  const others = withoutDependency(config, dependency)
  return tx.follow(aiConfigs, keys, config, { ...config, dependencies: [...others, dependency] })
}

/** Records that a resource no longer uses a config. */
export function removeDependency(tx: Writer, keys: AIConfigKeys, config: AIConfig, dependency: Dependency): AIConfig {
  return tx.follow(aiConfigs, keys, config, { ...config, dependencies: withoutDependency(config, dependency) })
}

function withoutDependency({ dependencies }: AIConfig, { type, key }: Dependency): Dependency[] {
  return dependencies.filter((dependency) => dependency.type !== type || dependency.key !== key)
}
