import { benchArguments } from '../bench/arguments.ts';
import { withTestServers } from '../bench/test-servers.ts';
import { takePictureSet } from '../tests/browser/take-picture-set.ts';
import { takePictures } from '../tests/browser/take-pictures.ts';

// `npm run docs:images`: takes the pictures of the documentation anew. With `-- --every FOLDER [--only PART]` it takes
// every page, or those with PART in their path, in each width, theme and language instead.
const { texts } = benchArguments(process.argv.slice(2), {}, [], ['every', 'only']);
await withTestServers(['postgres', 'chromium'], async () => {
  if (texts.every === undefined) await takePictures('docs/images');
  else process.stdout.write(`${await takePictureSet(texts.every, texts.only)} pictures in ${texts.every}\n`);
});
