/** The error of an import whose signal was aborted. Its message reports what was written before the interruption. */
export interface Interruption extends Error {
  readonly interrupted: true
}

/** Returns the error with which an aborted import rejects. */
export function interruption(message: string): Interruption {
  return Object.assign(new Error(message), { interrupted: true as const })
}

/**
 * Returns true for the error with which an aborted import rejects.
 *
 * @example
 * ```ts
 * import { flagdFormat, isInterruption, writeProject } from '@halyard/import'
 * import { createTestEngine } from '@halyard/testing'
 *
 * const exported = [{ flags: { beta: { state: 'ENABLED', variants: { on: true, off: false }, defaultVariant: 'on' } } }]
 * const read = flagdFormat.read(exported, { environmentKey: 'production' })
 * if (!read.ok) throw new Error(`${read.at} ${read.reason}`)
 * const engine = await createTestEngine()
 * await engine.given.project('web')
 * const target = { api: engine.as({ role: 'owner' }), projectKey: 'web' }
 * const error = await writeProject(read.importedProject, target, { signal: AbortSignal.abort() }).catch(
 *   (reason) => reason,
 * )
 * console.log(isInterruption(error)) // true
 * ```
 */
export function isInterruption(error: unknown): error is Interruption {
  return error instanceof Error && (error as Partial<Interruption>).interrupted === true
}
