import { addressOf } from '../../rules/address.ts'
import { type JsonDelta, jsonDelta } from '../../rules/json-delta.ts'
import { jsonEqual } from '../../rules/json-equal.ts'
import { fingerprint } from '../../rules/undo/fingerprint.ts'
import { rootProperty } from '../../rules/undo/path-tokens.ts'
import { type ChangedDocument, WrittenDocument } from '../../storage/changed-document.ts'
import type { Versioned } from '../../storage/collection.ts'
import type { Sample } from '../../storage/port.ts'
import type { NotedMembership } from '../../storage/writer.ts'
import type { Author, LogPosition } from './change-log.ts'
import type { ChangeLogEntry, LoggedChange, RequiredAction, UnlistedDocument } from './change-log-entry.ts'
import { entryTerms } from './change-log-terms.ts'
import { entryName, entrySentences, type NameSource } from './entry-sentences.ts'
import { type RemovalRecord, withheldSecrets } from './removed-documents.ts'
import { shownEdit } from './shown-change.ts'

export interface ChangeToLog {
  readonly operation: string
  /** The action that authorized the call. */
  readonly authorizingAction: string
  /** Actions that the handler required in addition, except actions that only view. */
  readonly requiredActions: readonly RequiredAction[]
  /** Actions that the guard of the commit required in addition, such as `bypassRequiredApproval`. */
  readonly guardActions: readonly RequiredAction[]
  readonly caller: Author
  readonly comment: string | undefined
  /** Assigns the position of the entry. It is called only when there is an entry. */
  readonly nextPosition: () => LogPosition
  readonly written: readonly WrittenDocument[]
  readonly noted: readonly NotedMembership[]
  /** Documents that the call writes in addition to `written`: see `WrittenDocuments`. */
  readonly unlisted: readonly WrittenDocument[]
  /** Documents that are deleted together with the documents of `written`. */
  readonly removed: RemovalRecord
  /** Id of the entry that the call reverts. */
  readonly reverts: string | undefined
  /** The documents that callers need actions to change. */
  readonly changed: readonly ChangedDocument[]
  /** The names and sentences of documents. */
  readonly names: NameSource
  /** Returns the actions that the changed properties of a document require. */
  actionsOf(written: WrittenDocument): readonly string[]
}

/** Returns the entry of a call; undefined when the call changed nothing that callers can change. */
export async function changeLogEntry(change: ChangeToLog): Promise<Sample | undefined> {
  const written = sortDirectFirst(change)
  const [main = unchangedDocument(change.noted[0])] = written
  if (!main) return undefined
  const changes = withActions(change, [
    ...written.map((document) =>
      withLists(Object.assign(loggedChange(change, document), deltaOf(document), editOf(change, document)), document),
    ),
    ...change.noted.map((noted) => loggedMembership(change, noted)),
  ])
  const body: Writable<ChangeLogEntry> = {
    operation: change.operation,
    sentences: await entrySentences({ written, noted: change.noted, changed: change.changed, names: change.names }),
    kind: main.collection.name,
    name: await entryName(change, main),
    verb: verbOf(change, main),
    caller: loggedCaller(change.caller),
    changes,
  }
  addDetails(body, change)
  const position = change.nextPosition()
  return {
    id: position.id,
    at: position.at,
    label: (changes[0] as LoggedChange).resource,
    values: [],
    body,
    terms: entryTerms(body),
  }
}

/** An object while its properties are assigned. Spreading each optional property into it takes three times as long. */
type Writable<T> = { -readonly [Property in keyof T]: T[Property] }

function loggedCaller({ id, memberId, tokenId }: Author): ChangeLogEntry['caller'] {
  const caller: Writable<ChangeLogEntry['caller']> = { id }
  if (memberId) caller.memberId = memberId
  if (tokenId) caller.tokenId = tokenId
  return caller
}

/** Adds the properties that only some entries have. */
function addDetails(entry: Writable<ChangeLogEntry>, change: ChangeToLog): void {
  const { comment, requiredActions, guardActions, removed, unlisted, reverts } = change
  if (comment) entry.comment = comment
  const others = additionalActions([...requiredActions, ...guardActions], entry.changes)
  if (others.length > 0) entry.besides = others
  if ('irreversible' in removed) entry.irreversible = removed.irreversible
  else if (removed.documents.length > 0) entry.removed = removed.documents
  if (unlisted.length > 0) entry.unlisted = unlisted.map(unlistedDocument)
  if (reverts !== undefined) entry.reverts = reverts
}

/**
 * Returns the changes with at least one action: when no changed property requires one, the first change has the action
 * that authorized the call.
 */
function withActions(change: ChangeToLog, changes: readonly LoggedChange[]): readonly LoggedChange[] {
  const [main, ...others] = changes
  if (!main || changes.some(({ actions }) => actions.length > 0)) return changes
  return [{ ...main, actions: wholeActions(change, main.resource) }, ...others]
}

/** Returns the required actions that no change has, each once. */
function additionalActions(
  requiredActions: readonly RequiredAction[],
  changes: readonly LoggedChange[],
): readonly RequiredAction[] {
  if (requiredActions.length === 0) return requiredActions
  const actionsOfChanges = new Set(changes.flatMap(({ actions }) => actions))
  const others = new Map(
    requiredActions
      .filter(({ action }) => !actionsOfChanges.has(action))
      .map((requirement) => [`${requirement.action} ${requirement.resource}`, requirement]),
  )
  return [...others.values()]
}

/**
 * Returns the actions for creating or deleting a resource: the actions that the handler required for it, or by default
 * the action that authorized the call.
 */
function wholeActions(
  { requiredActions: demanded, authorizingAction: granted }: ChangeToLog,
  resource: string,
): readonly string[] {
  const actions = demanded.filter((requirement) => requirement.resource === resource).map(({ action }) => action)
  return actions.length > 0 ? [...new Set(actions)] : [demanded[0]?.action ?? granted]
}

/**
 * Sorts the caller's own changes before their consequences, because the entry takes its title from the first change.
 */
function sortDirectFirst(change: ChangeToLog): readonly WrittenDocument[] {
  const isDirect = (one: WrittenDocument) => !one.before || !one.after || change.actionsOf(one).length > 0
  return [...change.written.filter(isDirect), ...change.written.filter((document) => !isDirect(document))]
}

function loggedChange(call: ChangeToLog, written: WrittenDocument): Omit<LoggedChange, keyof JsonDelta> {
  const { collection, keys, before, after } = written
  // A default that is stored for the first time has no state before, but it is changed and not created.
  const propertyActions = call.actionsOf(written)
  const resource = addressOf(collection.resource(keys, after ?? before))
  const ownActions = propertyActions.length > 0 || (before && after) ? propertyActions : wholeActions(call, resource)
  const guardActions = call.guardActions.filter((required) => required.resource === resource)
  const actions = [...new Set([...ownActions, ...guardActions.map(({ action }) => action)])]
  const document = collection.address.address(keys)
  const change: Writable<Omit<LoggedChange, keyof JsonDelta>> = { resource, kind: collection.name, actions }
  if (document !== resource) change.document = document
  if (before && after && changesSecret(written)) change.secret = true
  return after ? change : Object.assign(change, withheldSecrets(collection, before))
}

function unlistedDocument(written: WrittenDocument): UnlistedDocument {
  const { collection, keys, before, after } = written
  const version = after?.version ?? 0
  const address = { kind: collection.name, document: collection.address.address(keys), version }
  return before ? { ...address, inverse: deltaOf(written).inverse } : address
}

function changesSecret({ collection: { secrets }, before, after }: WrittenDocument): boolean {
  // Cast: the names of properties are those that the collection declares.
  const valueIn = (document: object | undefined, name: PropertyKey) =>
    (document as Record<PropertyKey, unknown>)?.[name]
  return secrets.some((name) => !jsonEqual(valueIn(before, name), valueIn(after, name)))
}

/** Adds fingerprints of the properties in whose lists elements changed. */
function withLists(change: LoggedChange, { after }: WrittenDocument): LoggedChange {
  const names = new Set([...change.patch, ...change.inverse].filter(hasIndex).map(({ path }) => rootProperty(path)))
  if (!after || names.size === 0) return change
  // Cast: documents are JSON objects, of which only the properties are used here.
  const properties = after as unknown as Readonly<Record<string, unknown>>
  return { ...change, lists: Object.fromEntries([...names].map((name) => [name, fingerprint(properties[name])])) }
}

const index = /\/\d+(\/|$)/

function hasIndex({ path }: { readonly path: string }): boolean {
  return index.test(path)
}

function deltaOf(written: WrittenDocument): JsonDelta {
  const { before, after } = written
  const { secrets } = written.collection
  // A difference contains no undefined properties, so they need not be removed first. Versions always differ.
  if (before && after) {
    const names = [...written.changedProperties(), 'version']
    return jsonDelta(comparable(before, secrets), comparable(after, secrets), names)
  }
  return jsonDelta(before && withoutSecrets(before, secrets), after && withoutSecrets(after, secrets))
}

function editOf(change: ChangeToLog, written: WrittenDocument): Pick<LoggedChange, 'edit'> {
  const { collection, keys, before, after } = written
  const changed = change.changed.find((each) => each.collection === collection && each.keys === keys)
  if (!changed || !after) return {}
  const isPlain = before !== undefined && changed.seen === changed.before
  const edit = shownEdit(changed.seen, written, isPlain)
  return edit ? { edit } : {}
}

type Properties = Readonly<Record<string, unknown>>

function unchangedDocument(noted: NotedMembership | undefined): WrittenDocument | undefined {
  return noted && new WrittenDocument({ ...noted, before: noted.document, after: noted.document })
}

function loggedMembership(change: ChangeToLog, noted: NotedMembership): LoggedChange {
  const { collection, keys, document, set, added = [], removed = [] } = noted
  const resource = addressOf(collection.resource(keys, document))
  return {
    resource,
    kind: collection.name,
    actions: noted.action === undefined ? wholeActions(change, resource) : [noted.action],
    patch: [],
    inverse: [],
    members: { set, added, removed },
  }
}

/** Omits secrets, and properties that are undefined, because storing a document drops those. */
export function withoutSecrets(document: Versioned, secrets: readonly PropertyKey[]): Properties {
  const properties: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(document)) {
    if (value !== undefined && !secrets.includes(name)) properties[name] = value
  }
  return properties
}

/** Omits secrets. Most documents have no secrets, and are returned unchanged. */
function comparable(document: Versioned, secrets: readonly PropertyKey[]): Properties {
  return secrets.length === 0 ? (document as Versioned & Properties) : withoutSecrets(document, secrets)
}

function verbOf(change: ChangeToLog, main: WrittenDocument): 'created' | 'updated' | 'deleted' {
  if (!main.after) return 'deleted'
  return main.before || change.actionsOf(main).length > 0 ? 'updated' : 'created'
}
