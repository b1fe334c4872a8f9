export { createLayer } from './create-layer.ts'
export { getLayers } from './get-layers.ts'
export { updateLayer } from './update-layer.ts'
