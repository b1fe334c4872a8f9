import { projects } from '../../models/projects/project.ts'
import { type View, type ViewKeys, views } from '../../models/views/view.ts'
import { findFlags } from './find-flags.ts'
import { findEnvironments, findSegments } from './find-segments.ts'
import { knownLinks } from './known-links.ts'
import { linkFaults } from './link-faults.ts'
import type { LinkKind } from './link-kind.ts'
import type { LinkRequest } from './link-wire.ts'
import type { LinkContext, Matched } from './matched.ts'

/**
 * Finds the view of a request, and the flags or segments that the request names or matches. The commit requires that
 * project and environments are unchanged; otherwise a link could outlive them.
 *
 * @throws ApiError `invalid_request` that names every invalid part of the request; `not_found` without the view.
 */
export async function findLinkable(
  context: LinkContext,
  kind: LinkKind,
  keys: ViewKeys,
  request: LinkRequest,
): Promise<Matched & { readonly view: View }> {
  const { tx, fail } = context
  const filter = request.filter === undefined ? undefined : kind.readFilter(request.filter)
  const errors = linkFaults(kind, request, filter)
  if (errors.length > 0) fail('invalid_request', { errors })
  const { projectKey } = keys
  // Flags are found with one list, and everything else is read in one round of requests after it. Segments need their
  // environments first.
  const flags = kind.type === 'flag' ? await findFlags(context, projectKey, request, filter?.conditions) : undefined
  const [project, view, environments] = await Promise.all([
    tx.get(projects, keys),
    tx.get(views, keys),
    findEnvironments(context, projectKey, request),
    flags && knownLinks(tx, kind, keys, flags.things),
  ])
  if (!project || !view) return fail('not_found')
  tx.expect(projects, keys, project)
  const found = flags ?? (await findSegments(context, kind, keys, request, filter?.conditions, environments))
  return { view, ...found }
}
