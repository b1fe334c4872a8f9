import { ApiError } from '@halyard/core'
import { needsApproval } from './preview.ts'
import { callById, type ToolCall } from './tool-call.ts'

/**
 * Creates an approval request for a change of a flag that was refused because its environment requires approval.
 *
 * @returns a sentence about the request; undefined when the call was refused for another reason, or does not change a
 *   flag.
 */
export async function requestApproval(
  { engine, as, operation, input }: ToolCall,
  refusal: { readonly code: string; readonly message: string },
): Promise<string | undefined> {
  const { projectKey, flagKey, body } = input as {
    readonly projectKey: string
    readonly flagKey: string
    readonly body?: Patch
  }
  const { environmentKey, instructions, comment } = body ?? {}
  if (operation.id !== 'patchFlag' || !needsApproval(refusal)) return undefined
  if (environmentKey === undefined || instructions === undefined) return undefined
  try {
    const request = await callById({ engine, as }, 'createApprovalRequestForFlag', {
      projectKey,
      flagKey,
      environmentKey,
      body: { description: comment ?? `Change ${flagKey} in ${environmentKey}`, instructions },
    })
    const { _id } = request as { readonly _id: string }
    return `${refusal.message}. Nothing was changed. The approval request ${_id} was created.`
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

interface Patch {
  readonly environmentKey?: string
  readonly instructions?: readonly object[]
  readonly comment?: string
}
