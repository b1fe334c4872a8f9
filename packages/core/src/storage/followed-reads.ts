import { onDocument, onList, onMembers, onSamples } from './dependencies.ts'
import type { StorageReads } from './reads.ts'
import type { Trail } from './trail.ts'

/** The same reads, each noted on a trail before it is asked. */
export function followedReads(reads: StorageReads, trail: Trail): StorageReads {
  return {
    get(id) {
      trail.note(onDocument(id))
      return reads.get(id)
    },
    getMany(ids) {
      for (const id of ids) trail.note(onDocument(id))
      return reads.getMany(ids)
    },
    list(query) {
      trail.note(onList(query))
      return reads.list(query)
    },
    hasMember(set, member) {
      trail.note(onMembers(set))
      return reads.hasMember(set, member)
    },
    findMembers(set, members) {
      trail.note(onMembers(set))
      return reads.findMembers(set, members)
    },
    countMembers(set, without) {
      trail.note(onMembers(set))
      if (without) trail.note(onMembers(without))
      return reads.countMembers(set, without)
    },
    pageMembers(set, page) {
      trail.note(onMembers(set))
      return reads.pageMembers(set, page)
    },
    scan(query) {
      trail.note(onSamples(query.series))
      return reads.scan(query)
    },
    newest(query) {
      trail.note(onSamples(query.series))
      return reads.newest(query)
    },
    listTasks(queue, page) {
      // Whoever takes a task or is done with one need not tell.
      trail.spoil()
      return reads.listTasks(queue, page)
    },
  }
}
