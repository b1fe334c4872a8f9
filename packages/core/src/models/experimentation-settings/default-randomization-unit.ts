import { userKind } from '../../rules/targeting/clause.ts'
import type { Reader } from '../../storage/reader.ts'
import { experimentationSettings } from './experimentation-settings.ts'

/**
 * Returns the default randomization unit of a project: the context kind for experiments and metrics that do not choose
 * one.
 */
export async function defaultRandomizationUnit(tx: Pick<Reader, 'get'>, projectKey: string): Promise<string> {
  const settings = await tx.get(experimentationSettings, { projectKey })
  return settings?.randomizationUnits.find((unit) => unit.default)?.randomizationUnit ?? userKind
}
