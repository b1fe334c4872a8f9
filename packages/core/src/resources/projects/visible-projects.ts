import { projects } from '../../models/projects/project.ts'
import type { ReadContext } from '../../operation/context.ts'
import { visiblePage } from '../../operation/pages/visible-page.ts'

const unlimited = { limit: Number.MAX_SAFE_INTEGER, offset: 0 }

/** Returns the keys of all projects that the caller may view, for lists across projects. */
export async function visibleProjectKeys(context: Pick<ReadContext, 'tx' | 'allowed'>): Promise<string[]> {
  const visible = await visiblePage(context, { collection: projects, scope: {}, action: 'viewProject' }, unlimited)
  return visible.items.map(({ key }) => key)
}
