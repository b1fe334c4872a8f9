export { movedElements } from './moved-elements.ts'
export { type Overlap, type OverlapOptions, overlaps } from './overlap.ts'
