import { defineConfig } from 'vitest/config'

// In this repository packages run unbuilt; elsewhere the setup file is all that is needed.
const conditions = ['@halyard/source', 'module', 'node', 'development|production']

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ['docs/examples/policies/matchers.test.ts'],
    setupFiles: ['docs/examples/policies/vitest-setup.ts'],
  },
})
