import { projects } from '../../models/projects/project.ts'
import { type View, views } from '../../models/views/view.ts'
import { existingLinks } from './existing-links.ts'
import { findFlags } from './find-flags.ts'
import { findEnvironments, findSegments } from './find-segments.ts'
import type { ViewLinks } from './link-kind.ts'
import type { LinkRequest } from './link-schema.ts'
import type { LinkContext, MatchedResources } from './matched-resources.ts'
import { validateLinkRequest } from './validate-link-request.ts'

/**
 * Finds the view of a request, and the flags or segments that the request names or matches. The commit requires that
 * project and environments are unchanged; otherwise a link could outlive them.
 *
 * @throws ApiError `invalid_request` that names every invalid part of the request; `not_found` without the view.
 */
export async function findLinkable(
  context: LinkContext,
  links: ViewLinks,
  request: LinkRequest,
): Promise<MatchedResources & { readonly view: View }> {
  const { kind, keys } = links
  const { projectKey } = keys
  const { tx, fail } = context
  const filter = request.filter === undefined ? undefined : kind.readFilter(request.filter)
  const errors = validateLinkRequest(kind, request, filter)
  if (errors.length > 0) fail('invalid_request', { errors })
  // Flags are found with one list, and everything else is read in one round of requests after it. Segments need their
  // environments first.
  const flagMatches =
    kind.type === 'flag' ? await findFlags(context, projectKey, { request, filter: filter?.conditions }) : undefined
  const [project, view, environments] = await Promise.all([
    tx.get(projects, keys),
    tx.get(views, keys),
    findEnvironments(context, projectKey, request),
    flagMatches && existingLinks(tx, links, flagMatches.linkables),
  ])
  if (!project || !view) return fail('not_found')
  tx.expect(projects, keys, project)
  const matches =
    flagMatches ?? (await findSegments(context, links, { request, filter: filter?.conditions, environments }))
  return { view, ...matches }
}
