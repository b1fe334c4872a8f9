import type { ReadContext } from '../../operation/context.ts'
import type { LocatedDocument } from '../../operation/find-by-index.ts'
import { findInVisibleProject } from '../projects/find-in-visible-project.ts'
import { type InsightGroup, insightGroupIndex, insightGroups } from './insight-group.ts'

/** Returns the group with a key, or undefined when it does not exist or the caller may not view its project. */
export function findInsightGroup(
  context: Pick<ReadContext, 'tx' | 'allowed'>,
  params: { readonly insightGroupKey: string },
): Promise<LocatedDocument<InsightGroup, typeof insightGroups.template> | undefined> {
  return findInVisibleProject(context, insightGroupIndex, insightGroups, params)
}
