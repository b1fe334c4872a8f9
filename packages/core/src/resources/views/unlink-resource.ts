import { views } from '../../models/views/view.ts'
import { jsonBody } from '../../operation/body.ts'
import { operation } from '../../operation/operation.ts'
import { existingLinks } from './existing-links.ts'
import { findLinkable } from './find-linkable.ts'
import { linkKindOf } from './link-kind.ts'
import { linkRequest, unlinkResponse } from './link-schema.ts'

export const unlinkResource = operation({
  id: 'unlinkResource',
  summary: 'Unlink flags or segments from a view, by name or by a filter that is evaluated once',
  method: 'DELETE',
  path: '/api/v2/projects/{projectKey}/views/{viewKey}/link/{resourceType}',
  beta: 'declared',
  body: jsonBody(linkRequest),
  success: { status: 200, body: unlinkResponse },
  errors: ['invalid_request', 'not_found', 'optimistic_locking_error'],
  access: {
    action: ['unlinkFlagFromView', 'unlinkSegmentFromView'],
    resource: 'proj/{projectKey}:view/{viewKey}',
    shows: { action: 'viewProject', resource: 'proj/{projectKey}' },
  },
  async handle(context, { params: { resourceType, ...keys }, body }) {
    const { tx, fail } = context
    const kind = linkKindOf(resourceType) ?? fail('not_found')
    await context.demand(kind.unlinkAction, views, keys)
    const { view, linkables, failed } = await findLinkable(context, { kind, keys }, body)
    const targets = await existingLinks(tx, { kind, keys }, linkables)
    const unlinked = new Set(targets.filter(({ link }) => !link).map(({ target }) => target))
    const removed = linkables.filter((linkable) => !unlinked.has(linkable))
    if (removed.length > 0) {
      for (const target of removed) {
        tx.discard(kind.links, { ...keys, linkKey: kind.linkKey(target) })
        kind.discard(tx, keys, target)
      }
      const after = tx.follow(views, keys, view, { ...view, unlinks: view.unlinks + 1 })
      tx.note(views, keys, after, { set: kind.types, action: kind.unlinkAction, removed: removed.map(kind.linkKey) })
    }
    return { successCount: linkables.length, failureCount: failed.length, failedResources: failed }
  },
})
