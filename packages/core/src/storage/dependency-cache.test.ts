import { describe, expect, it } from 'vitest'
import { CacheSpace, DependencyCache } from './dependency-cache.ts'
import type { DependencyTracker } from './dependency-index.ts'

const live = { isLive: () => true }

/** Makes a tracker that the test can make stale, and that records whether it was stopped. */
function tracker() {
  let drop: (() => void) | undefined
  const state = { stopped: false, stale: false }
  const tracker: DependencyTracker & { readonly state: typeof state } = {
    state,
    get stale() {
      return state.stale
    },
    add: () => {},
    onStale: (listener) => {
      drop = listener
    },
    invalidate: () => {
      state.stale = true
      drop?.()
    },
    stop: () => {
      state.stopped = true
    },
  }
  return tracker
}

describe('caches that share a space', () => {
  it('keep values with equal keys separate', () => {
    const space = new CacheSpace(100, true)
    const [first, second] = [
      new DependencyCache<string>(live, { capacity: space }),
      new DependencyCache(live, { capacity: space }),
    ]
    first.set('key', 'of the first', 10, tracker())
    second.set('key', 'of the second', 20, tracker())
    expect([first.get('key'), second.get('key')]).toEqual(['of the first', 'of the second'])
    expect(first.stats()).toMatchObject({ entries: 1, size: 10 })
    expect(second.stats()).toMatchObject({ entries: 1, size: 20 })
  })

  it('evict the least recently used value of any of them', () => {
    const space = new CacheSpace(100, true)
    const caches = Array.from({ length: 3 }, () => new DependencyCache<string>(live, { capacity: space }))
    const trackers = caches.map(() => tracker())
    for (const [i, cache] of caches.slice(0, 2).entries())
      cache.set('key', `${i}`, 50, trackers[i] as DependencyTracker)
    expect(caches[0]?.get('key')).toBe('0')
    caches[2]?.set('key', '2', 50, trackers[2] as DependencyTracker)
    expect(caches.map((cache) => cache.get('key'))).toEqual(['0', undefined, '2'])
    expect(trackers.map(({ state }) => state.stopped)).toEqual([false, true, false])
    expect(caches.map((cache) => cache.stats().size)).toEqual([50, 0, 50])
  })

  it('drop a value when its dependencies change, and not the value that has replaced it', () => {
    const cache = new DependencyCache<string>(live, { capacity: new CacheSpace(100, true) })
    const [old, replacing] = [tracker(), tracker()]
    cache.set('key', 'old', 10, old)
    cache.set('key', 'new', 20, replacing)
    old.invalidate()
    expect(cache.get('key')).toBe('new')
    expect(cache.stats()).toMatchObject({ entries: 1, size: 20 })
    replacing.invalidate()
    expect(cache.get('key')).toBeUndefined()
    expect(cache.stats()).toMatchObject({ entries: 0, size: 0 })
  })

  it('cache nothing in a space of size 0', () => {
    const cache = new DependencyCache<string>(live, { capacity: new CacheSpace(0, true) })
    const unused = tracker()
    cache.set('key', 'value', 1, unused)
    expect(cache.get('key')).toBeUndefined()
    expect(unused.state.stopped).toBe(true)
  })
})
