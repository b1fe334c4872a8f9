import * as v from 'valibot'
import { environments } from '../../models/environments/environment.ts'
import { flags } from '../../models/flags/flag.ts'
import { type Project, projects } from '../../models/projects/project.ts'
import { segments } from '../../models/segments/segment.ts'
import type { ReadContext } from '../../operation/context.ts'
import { pageLinks } from '../../operation/link.ts'
import { operation } from '../../operation/operation.ts'
import { visiblePage } from '../../operation/pages/visible-page.ts'
import { commaList, links, list, page } from '../../operation/schema.ts'
import { compareCodePoints } from '../../storage/code-point-order.ts'
import type { Row } from '../../storage/reader.ts'

const kinds = ['project', 'environment', 'flag', 'segment'] as const

type Kind = (typeof kinds)[number]

export const listTags = operation({
  id: 'listTags',
  summary: 'List the tags of projects, environments, flags and segments that the caller may view, each once',
  method: 'GET',
  path: '/api/v2/tags',
  query: v.object({
    /** The kinds of resources whose tags are listed. Default: all. */
    kind: v.optional(
      v.pipe(
        commaList(),
        v.check((list) => list.every(isKind), `must be a list of ${kinds.join(', ')}`),
      ),
    ),
    /** Prefix of the tags to return. */
    pre: v.optional(v.string(), ''),
    ...page({ limit: 1000, maxLimit: 1000 }),
  }),
  success: { status: 200, body: v.object({ items: list(v.string()), totalCount: v.number(), _links: links() }) },
  errors: ['invalid_request'],
  access: { open: true, why: 'tags of projects that the caller may not view are omitted' },
  async handle(context, { query }) {
    const { kind = kinds, pre, limit, offset } = query
    const visible = await visiblePage(
      context,
      { collection: projects, scope: {}, action: 'viewProject' },
      { limit: Number.POSITIVE_INFINITY, offset: 0 },
    )
    const ofProjects = await Promise.all(visible.items.map((project) => tagsOf(context, project, kind.filter(isKind))))
    const tags = [...new Set(ofProjects.flat())].filter((tag) => tag.startsWith(pre)).sort(compareCodePoints)
    return {
      items: tags.slice(offset, offset + limit),
      totalCount: tags.length,
      _links: pageLinks(context.url, query, tags.length),
    }
  },
})

function isKind(text: string): text is Kind {
  return (kinds as readonly string[]).includes(text)
}

/** Returns the tags of a project and of everything in it. A tag can occur several times. */
async function tagsOf({ tx }: ReadContext, project: Project, selected: readonly Kind[]): Promise<string[]> {
  const all = { limit: Number.MAX_SAFE_INTEGER, deep: true } as const
  const scope = { projectKey: project.key }
  const [ofEnvironments, ofFlags, ofSegments] = await Promise.all([
    selected.includes('environment') ? tx.listRows(environments, scope, all) : undefined,
    selected.includes('flag') ? tx.listRows(flags, scope, all) : undefined,
    selected.includes('segment') ? tx.listRows(segments, scope, all) : undefined,
  ])
  const rows: Row[] = [ofEnvironments, ofFlags, ofSegments].flatMap((page) => page?.items ?? [])
  const tags = rows.flatMap(({ fields }) => fields.tags as readonly string[])
  return selected.includes('project') ? [...project.tags, ...tags] : tags
}
