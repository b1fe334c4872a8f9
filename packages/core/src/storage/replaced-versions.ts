import { documentDependency } from './dependency-index.ts'
import type { DocumentId } from './port.ts'

/** Maximum number of versions: more than the writes that are usually in progress at the same time. */
const maxVersions = 10_000

/** The newest versions of documents that this process has replaced. */
export class ReplacedVersions {
  readonly #versions = new Set<string>()

  add(id: DocumentId, version: number): void {
    this.#versions.add(nameOf(id, version))
    if (this.#versions.size <= maxVersions) return
    for (const oldest of this.#versions) {
      this.#versions.delete(oldest)
      return
    }
  }

  has(id: DocumentId, version: number): boolean {
    return this.#versions.has(nameOf(id, version))
  }
}

function nameOf(id: DocumentId, version: number): string {
  return `${documentDependency(id)}\n${version}`
}
