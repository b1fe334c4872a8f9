import { bundleApp } from './bundle-app.ts'

/** Replaces the module that the build writes, when the package runs from source. */
export const files = await bundleApp()
