import type { ReadContext } from '../../operation/context.ts'
import { findPlaced, type Placed } from '../../operation/find-placed.ts'
import { projects } from '../projects/project.ts'
import { type InsightGroup, insightGroupPlaces, insightGroups } from './insight-group.ts'

/** The group with this key, unless it is not there or in a project that the caller may not view. */
export async function findInsightGroup(
  context: Pick<ReadContext, 'tx' | 'allowed'>,
  params: { readonly insightGroupKey: string },
): Promise<Placed<InsightGroup, typeof insightGroups.template> | undefined> {
  const found = await findPlaced(context.tx, insightGroupPlaces, insightGroups, params)
  return found && (await context.allowed('viewProject', projects, found.keys)) ? found : undefined
}
