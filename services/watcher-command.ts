#!/usr/bin/env node
import { basename } from 'node:path';
import { configure } from './configure.ts';
import { runVigil } from './run-vigil.ts';
import { type WatcherCommand, watcherFiles, watcherPolicy, watcherWords } from './watcher-words.ts';

/** The names of Watcher's commands are links to this file. */
const name = basename(process.argv[1] ?? '').replace(/\.js$/, '');
const translated: WatcherCommand = watcherWords(name, process.argv.slice(2));
if ('fault' in translated) {
  process.stderr.write(`${name}: ${translated.fault}\n`);
  process.exitCode = 2;
} else {
  // Health checks of deployments search for this process title.
  process.title = name;
  if (translated.isDebug) process.env.VIGIL_LOG_LEVEL ??= 'debug';
  process.exitCode = await runVigil(translated.words, (words) => {
    const rest = configure(words, watcherFiles);
    const policy = rest[0] === 'api' ? watcherPolicy(words) : null;
    if (policy !== null) process.env.VIGIL_POLICY_FILE ??= policy;
    return rest;
  });
}
