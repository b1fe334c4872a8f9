/** Runs the storage conformance suite against the example storage of the guide to adapters. */
import '../docs/examples/adapter/file-storage.test.ts'
