import { ApiError } from '@halyard/core'
import type { Operation } from '@halyard/core/operations'
import { previewOf } from './preview.ts'
import { requestApproval } from './request-approval.ts'
import { writes } from './tool.ts'
import { callOperation, type ToolCall, type ToolCaller } from './tool-call.ts'

/** Arguments of a tool: the input of the operation, and `confirm`. */
export type ToolArguments = Readonly<Record<string, unknown>>

/** The result of a tool, as the protocol defines it. */
export interface ToolResult {
  readonly [property: string]: unknown
  readonly content: { readonly type: 'text'; readonly text: string }[]
  readonly isError?: boolean
}

/**
 * Calls an operation for a tool. Without `confirm`, an operation that changes something is not executed. The result
 * then describes the change that it would make. A change that needs approval becomes an approval request.
 *
 * @returns the response as JSON, or a sentence; a refusal is a result with `isError`, which agents read.
 * @throws an error that is not an `ApiError`.
 */
export async function callTool(
  { engine, as }: ToolCaller,
  operation: Operation,
  { confirm: isConfirmed, ...input }: ToolArguments,
): Promise<ToolResult> {
  const call: ToolCall = { engine, as, operation, input }
  try {
    if (writes(operation) && isConfirmed !== true) return textResult(await previewOf(call))
    return textResult(await responseText(await callOperation(call)))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const requested = isConfirmed === true ? await requestApproval(call, error) : undefined
    return requested === undefined ? { ...textResult(refusalText(error)), isError: true } : textResult(requested)
  }
}

const textResult = (text: string): ToolResult => ({ content: [{ type: 'text', text }] })

async function responseText(response: unknown): Promise<string> {
  if (response === undefined) return 'Done.'
  if (typeof response === 'object' && response !== null && Symbol.asyncIterator in response) {
    let text = ''
    for await (const piece of response as AsyncIterable<string>) text += piece
    return text
  }
  return JSON.stringify(response)
}

/** Returns the reason of a refusal, with the rights that the caller's policy lacks. */
function refusalText({ code, message, errors = [], explanation }: ApiError): string {
  const reasons = errors.map(({ attribute, reason }) => `${attribute} ${reason}`)
  return [`Refused (${code}): ${message}`, ...reasons, ...(explanation === undefined ? [] : [explanation])].join('\n')
}
