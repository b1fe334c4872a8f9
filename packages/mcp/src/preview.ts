import { ApiError } from '@halyard/core'
import type { Simulation } from '@halyard/core/operations'
import { callOperation, type ToolCall } from './tool-call.ts'

/**
 * Returns what a call would change, without performing the call: for a change of a flag or a segment in an environment
 * the sentences of its simulation, with the approval that it needs; for every other call the response of its dry run.
 *
 * @throws ApiError with which the call would be refused.
 */
export async function previewOf(call: ToolCall): Promise<string> {
  const change = changeToSimulate(call)
  const end = 'Nothing was changed. Call the tool again with `confirm: true` to make the change.'
  if (change) {
    const simulation = await call.engine.simulate(change, { as: call.as })
    return [...simulationLines(simulation), end].join('\n')
  }
  const { id, summary, body } = call.operation
  // An upload is stored in parts while it is read, so it has no dry run.
  if (body?.kind === 'upload') return `${id} would send a file: ${summary}.\n${end}`
  try {
    const response = await callOperation(call, { dryRun: true })
    const responseLines = response === undefined ? [] : [`The response would be: ${JSON.stringify(response)}`]
    return [`${summary}: the call would succeed.`, ...responseLines, end].join('\n')
  } catch (error) {
    if (!(error instanceof ApiError) || !needsApproval(error)) throw error
    return `${summary}: ${error.message}.\n${end}`
  }
}

/** Returns true for the refusal of a change that an environment must approve. */
export function needsApproval({ code, message }: { readonly code: string; readonly message: string }): boolean {
  return code === 'method_not_allowed' && message.includes('requires approval')
}

/** Returns the change in the form that a simulation accepts; undefined for any other call. */
function changeToSimulate({ operation: { id }, input }: ToolCall): SimulatedChange | undefined {
  const { body, projectKey, flagKey, segmentKey, bypassRequiredApproval } = input
  const patch = body as { readonly environmentKey?: string; readonly instructions?: unknown } | undefined
  if (!Array.isArray(patch?.instructions)) return undefined
  const { environmentKey = input.environmentKey, ...change } = patch
  if (environmentKey === undefined || !['patchFlag', 'patchSegment'].includes(id)) return undefined
  const namedParameters = { projectKey, environmentKey, flagKey, segmentKey, bypassRequiredApproval }
  // The engine validates the change.
  return {
    ...change,
    ...Object.fromEntries(Object.entries(namedParameters).filter(([, value]) => value !== undefined)),
  } as object as SimulatedChange
}

type SimulatedChange = Parameters<ToolCall['engine']['simulate']>[0]

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
