import { readFileSync } from 'node:fs'
import { Miniflare } from 'miniflare'
import { bundleModules } from './homes/bundle-modules.ts'
const bundles = await bundleModules({ worker: 'test/workers/conformance-worker.ts' }, { external: ['cloudflare:workers'] })
const worker = new Miniflare({ modules: true, script: readFileSync(bundles.fileOf('worker'), 'utf8'), compatibilityDate: '2025-06-01', d1Databases: ['DATABASE'], durableObjects: { OBJECTS: { className: 'ConformanceObject', useSQLite: true } } })
for (const suite of ['object', 'd1']) {
  let passed = 0
  for (let part = 0; part < 8; part++) {
    const t = performance.now()
    const r = await worker.dispatchFetch(`http://localhost/${suite}?share=${part}&shares=8`)
    const text = await r.text()
    if (!r.ok) { console.log(suite, part, r.status, text.slice(0, 500)); continue }
    const report = JSON.parse(text); passed += report.passed
    console.log(suite, part, report.passed, Math.round(performance.now() - t), 'ms')
    for (const f of report.failed) console.log('FAIL', suite, f.group, ':', f.name, f.message.slice(0, 400))
  }
  console.log(suite, 'passed', passed)
}
await worker.dispose(); bundles.remove()
