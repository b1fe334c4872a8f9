import { DocumentMap } from './document-map.ts'
import type { DocumentId, StoredDocument } from './port.ts'
import type { StorageReads } from './reads.ts'

/** A request to the storage that includes a document, and the index of the document in the response. */
interface RequestedDocument {
  readonly request: DocumentRequest
  readonly index: number
}

interface DocumentRequest {
  documents?: Promise<(StoredDocument | undefined)[]>
}

/** Reads each document once, so that everything a unit of work decides is based on the same state. */
export class RequestedDocuments {
  readonly #reads: Pick<StorageReads, 'getMany'>
  readonly #requested = new DocumentMap<RequestedDocument>()

  constructor(reads: Pick<StorageReads, 'getMany'>) {
    this.#reads = reads
  }

  /** Returns documents in the order of their ids. */
  async getMany(ids: readonly DocumentId[]): Promise<(StoredDocument | undefined)[]> {
    const unread: DocumentId[] = []
    const request: DocumentRequest = {}
    for (const id of ids) {
      if (this.#requested.has(id)) continue
      this.#requested.set(id, { request, index: unread.length })
      unread.push(id)
    }
    if (unread.length > 0) {
      request.documents = this.#reads.getMany(unread)
      // Usually none of them was read before: then the response is the result as it is.
      if (unread.length === ids.length) return request.documents
    }
    return Promise.all(ids.map((id) => requestedDocument(this.#requested.get(id))))
  }

  /** Requests documents from another source, also those that were read before: later calls return what it has. */
  request(reads: Pick<StorageReads, 'getMany'>, ids: readonly DocumentId[]): void {
    if (ids.length === 0) return
    const request: DocumentRequest = { documents: reads.getMany(ids) }
    for (const [index, id] of ids.entries()) this.#requested.set(id, { request, index })
  }

  /** Makes each document be read again. */
  clear(): void {
    this.#requested.clear()
  }
}

async function requestedDocument(requested: RequestedDocument | undefined): Promise<StoredDocument | undefined> {
  return requested && (await requested.request.documents)?.[requested.index]
}
