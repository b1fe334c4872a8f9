import { views } from '../../models/views/view.ts'
import { jsonBody } from '../../operation/body.ts'
import { linkTo } from '../../operation/link.ts'
import { operation } from '../../operation/operation.ts'
import { existingLinks } from './existing-links.ts'
import { findLinkable } from './find-linkable.ts'
import { linkKindOf } from './link-kind.ts'
import { linkedPath, linkRequest, linkResponse, serializeLink } from './link-schema.ts'
import { undoLinks } from './undo-links.ts'

export const linkResource = operation({
  id: 'linkResource',
  undo: undoLinks,
  summary: 'Link flags or segments to a view, by name or by a filter that is evaluated once',
  method: 'POST',
  path: '/api/v2/projects/{projectKey}/views/{viewKey}/link/{resourceType}',
  beta: 'declared',
  body: jsonBody(linkRequest),
  success: { status: 200, body: linkResponse },
  errors: ['invalid_request', 'not_found', 'optimistic_locking_error'],
  access: {
    action: ['linkFlagToView', 'linkSegmentToView'],
    resource: 'proj/{projectKey}:view/{viewKey}',
    shows: { action: 'viewProject', resource: 'proj/{projectKey}' },
  },
  async handle(context, { params: { resourceType, ...keys }, body }) {
    const { tx, fail } = context
    const now = context.readClock()
    const kind = linkKindOf(resourceType) ?? fail('not_found')
    await context.demand(kind.linkAction, views, keys)
    const { view, linkables, failed } = await findLinkable(context, { kind, keys }, body)
    const firstTargets = await existingLinks(tx, { kind, keys }, linkables)
    // A concurrent call cannot remove these links: it would change the version of the view, and the commit requires this
    // version.
    const linked = new Set(firstTargets.filter(({ link }) => link).map(({ target }) => target))
    const added = linkables.filter((linkable) => !linked.has(linkable))
    tx.expect(views, keys, view)
    for (const linkable of added) {
      const { version, ...target } = linkable
      const link = { ...target, linkedAt: now }
      kind.expect(tx, keys.projectKey, linkable)
      tx.ensure(kind.links, { ...keys, linkKey: kind.linkKey(target) }, link)
      kind.ensure(tx, keys, target, link)
    }
    if (added.length > 0) {
      tx.note(views, keys, view, { set: kind.types, action: kind.linkAction, added: added.map(kind.linkKey) })
    }
    return {
      successCount: linkables.length,
      failureCount: failed.length,
      linkedResources: {
        items: firstTargets.map(({ target, link }) =>
          serializeLink(context, { kind, keys }, { target, linkedAt: link?.linkedAt ?? now }),
        ),
        totalCount: linkables.length,
        _links: { self: linkTo(linkedPath(keys, kind)) },
      },
      failedResources: failed,
    }
  },
})
