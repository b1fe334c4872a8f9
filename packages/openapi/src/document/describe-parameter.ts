import { parameterDescriptions } from '@halyard/core/operations'
import { resourceOf } from './tags.ts'

/**
 * Returns the description of a parameter: from the operation's resource, or else the shared one of its name.
 *
 * @returns `undefined` when neither describes it.
 */
export function describeParameter(operationId: string, name: string): string | undefined {
  const resourceParameters = resourceOf({ id: operationId })?.parameters ?? {}
  return resourceParameters[`${operationId}.${name}`] ?? resourceParameters[name] ?? parameterDescriptions[name]
}
