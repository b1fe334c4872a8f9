import { parameterDescriptions } from '@halyard/core/operations'
import { resourceOf } from './tags.ts'

/**
 * Returns the description of a parameter: from the operation's resource, or else from the descriptions that all
 * resources share.
 *
 * @returns `undefined` when neither has a description of this name.
 */
export function describeParameter(operationId: string, name: string): string | undefined {
  const resourceParameters = resourceOf({ id: operationId })?.parameters ?? {}
  return resourceParameters[`${operationId}.${name}`] ?? resourceParameters[name] ?? parameterDescriptions[name]
}
