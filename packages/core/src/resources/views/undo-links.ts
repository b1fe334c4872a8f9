import { flags } from '../../models/flags/flag.ts'
import { segments } from '../../models/segments/segment.ts'
import { type View, views } from '../../models/views/view.ts'
import { type UndoContext, type UndoSet, undoOf } from '../../operation/undo/undo-rules.ts'
import { type LinkKind, type LinkTarget, linkKindOf, type ViewLinks } from './link-kind.ts'

/** Rules for undoing changes of the links of views. */
export const undoLinks = [undoOf(views, { sets: { flags: undoLinksTo('flags'), segments: undoLinksTo('segments') } })]

function undoLinksTo(types: 'flags' | 'segments'): UndoSet<View, typeof views.template> {
  return {
    async removeKeys(context, keys, view, linkKeys) {
      const kind = linkKindOf(types) as LinkKind
      const { tx } = context
      await context.demand(kind.unlinkAction, views, keys, view)
      const links = await tx.getMany(
        kind.links,
        linkKeys.map((linkKey) => ({ ...keys, linkKey })),
      )
      const missing = linkKeys.filter((_, index) => !links[index])
      if (missing.length > 0) {
        const message = `A later change prevents this: ${missing.join(', ')} is no longer linked to ${view.key}`
        context.fail('optimistic_locking_error', {
          message,
          conflicts: missing.map((key) => ({ path: `/${types}`, base: key })),
        })
      }
      for (const link of links) {
        if (!link) continue
        const target: LinkTarget = link
        tx.discard(kind.links, { ...keys, linkKey: kind.linkKey(target) })
        kind.discard(tx, keys, target)
      }
      const after = tx.follow(views, keys, view, { ...view, unlinks: view.unlinks + 1 })
      tx.note(views, keys, after, { set: types, action: kind.unlinkAction, removed: linkKeys })
    },
    async addKeys(context, keys, view, linkKeys) {
      const kind = linkKindOf(types) as LinkKind
      await context.demand(kind.linkAction, views, keys, view)
      for (const target of linkKeys.map(targetOf)) await requireTarget(context, { kind, keys }, target)
      context.tx.expect(views, keys, view)
      context.tx.note(views, keys, view, { set: types, action: kind.linkAction, added: linkKeys })
    },
  }
}

/** Requires that a resource to be linked again still exists, and is not deleted concurrently. */
async function requireTarget({ tx, fail }: UndoContext, { kind, keys }: ViewLinks, target: LinkTarget): Promise<void> {
  const { projectKey } = keys
  const { environmentKey = '', resourceKey } = target
  const document =
    kind.type === 'flag'
      ? await tx.get(flags, { projectKey, flagKey: resourceKey })
      : await tx.get(segments, { projectKey, environmentKey, segmentKey: resourceKey })
  if (document) kind.expect(tx, projectKey, { ...target, version: document.version })
  else fail('optimistic_locking_error', { message: `The ${kind.type} ${kind.linkKey(target)} does not exist anymore` })
}

/** Returns the resource that a link is about. The link key can be split at slashes, because no key contains a slash. */
function targetOf(linkKey: string): LinkTarget {
  const [first = '', second] = linkKey.split('/')
  return second === undefined ? { resourceKey: first } : { environmentKey: first, resourceKey: second }
}
