import { ApiError } from '@halyard/core'
import type { Simulation } from '@halyard/core/operations'
import { callOperation, type ToolCall } from './tool-call.ts'

/**
 * Returns what a call would change, without making it: for a change of a flag or a segment in an environment the
 * sentences of its simulation, with the approval that it needs; for every other call the response of its dry run.
 *
 * @throws ApiError with which the call would be refused.
 */
export async function previewOf(call: ToolCall): Promise<string> {
  const change = changeToSimulate(call)
  const end = 'Nothing was changed. Call the tool again with `confirm: true` to make the change.'
  if (change) {
    // Cast: the change has the shape that the operation validates.
    const simulation = (await call.engine.simulate(change as never, { as: call.as })) as Simulation
    return [...simulationLines(simulation), end].join('\n')
  }
  const { id, summary, body } = call.operation
  // An upload is stored in parts while it is read, so it has no dry run.
  if (body?.kind === 'upload') return `${id} would send a file: ${summary}.\n${end}`
  try {
    const response = await callOperation(call, { dryRun: true })
    const shown = response === undefined ? [] : [`The response would be: ${JSON.stringify(response)}`]
    return [`${summary}: the call would succeed.`, ...shown, end].join('\n')
  } catch (error) {
    if (!(error instanceof ApiError) || !needsApproval(error)) throw error
    return `${summary}: ${error.message}.\n${end}`
  }
}

/** Returns true for the refusal of a change that an environment must approve. */
export function needsApproval({ code, message }: { readonly code: string; readonly message: string }): boolean {
  return code === 'method_not_allowed' && message.includes('requires approval')
}

/** Returns the change as a simulation takes it; undefined for any other call. */
function changeToSimulate({ operation: { id }, input }: ToolCall): object | undefined {
  const { projectKey, environmentKey, flagKey, segmentKey, body } = input as Readonly<Record<string, string>>
  const patch = body as unknown as { readonly environmentKey?: string; readonly instructions?: readonly object[] }
  if (!Array.isArray(patch?.instructions)) return undefined
  const { environmentKey: named, ...change } = patch
  if (id === 'patchFlag' && named !== undefined) return { ...change, projectKey, flagKey, environmentKey: named }
  return id === 'patchSegment' ? { ...change, projectKey, segmentKey, environmentKey } : undefined
}

function simulationLines({ changeLogEntry, approvals, flags, webhooks, migrationSafetyIssues }: Simulation): string[] {
  return [
    changeLogEntry ? `Would change: ${changeLogEntry.title}` : 'The call would change nothing.',
    ...(changeLogEntry && !changeLogEntry.title.endsWith(changeLogEntry.description)
      ? [changeLogEntry.description]
      : []),
    ...flags.map(({ key }) => `The flag ${key} depends on it.`),
    ...migrationSafetyIssues.map(({ issue }) => `Not safe: ${issue}`),
    ...webhooks.map(({ host }) => `Notifies a webhook at ${host}.`),
    ...(approvals.required ? [`Needs approval: ${approvals.why}. A confirmed call creates an approval request.`] : []),
  ]
}
