import { parameterDescriptions } from '@halyard/core/operations'
import { resourceOf } from './tags.ts'

/**
 * Returns the description of a parameter: from the operation's resource, or else the shared one of its name.
 *
 * @returns `undefined` when neither describes it.
 */
export function describeParameter(operationId: string, name: string): string | undefined {
  const own = resourceOf({ id: operationId })?.parameters ?? {}
  return own[`${operationId}.${name}`] ?? own[name] ?? parameterDescriptions[name]
}
