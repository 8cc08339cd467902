/** A series with its samples. `at` in milliseconds since 1970. */
export interface PrometheusSeries {
  name: string;
  labels: Record<string, string>;
  samples: { at: number; value: number }[];
}

/** Sends series by the remote write protocol 1.0 of Prometheus. @throws Error with the text of the server */
export async function writeToPrometheus(url: string, series: readonly PrometheusSeries[]): Promise<void> {
  const response = await fetch(`${url}/api/v1/write`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-protobuf',
      'content-encoding': 'snappy',
      'x-prometheus-remote-write-version': '0.1.0',
    },
    body: new Uint8Array(snappy(Buffer.concat(series.map((one) => message(1, encodeSeries(one)))))),
    signal: AbortSignal.timeout(20_000),
  });
  if (!response.ok) throw new Error(`remote write returned ${response.status}: ${await response.text()}`);
}

function encodeSeries({ name, labels, samples }: PrometheusSeries): Buffer {
  const sorted = Object.entries({ ...labels, __name__: name }).sort(([a], [b]) => (a < b ? -1 : 1));
  return Buffer.concat([
    ...sorted.map(([label, value]) => message(1, Buffer.concat([text(1, label), text(2, value)]))),
    ...[...samples].sort((a, b) => a.at - b.at).map((sample) => message(2, encodeSample(sample))),
  ]);
}

function encodeSample({ at, value }: { at: number; value: number }): Buffer {
  const bytes = Buffer.alloc(9);
  bytes[0] = (1 << 3) | 1;
  bytes.writeDoubleLE(value, 1);
  return Buffer.concat([bytes, Buffer.from([2 << 3]), varint(Math.floor(at))]);
}

/** A length-delimited field of protocol buffers. */
function message(field: number, body: Buffer): Buffer {
  return Buffer.concat([Buffer.from([(field << 3) | 2]), varint(body.length), body]);
}

function text(field: number, value: string): Buffer {
  return message(field, Buffer.from(value, 'utf8'));
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 128) {
    bytes.push((rest % 128) | 128);
    rest = Math.floor(rest / 128);
  }
  return Buffer.from([...bytes, rest]);
}

/** Snappy's block format with literals only: valid, but uncompressed. */
function snappy(data: Buffer): Buffer {
  const parts: Buffer[] = [varint(data.length)];
  for (let from = 0; from < data.length; from += 65_536) {
    const piece = data.subarray(from, from + 65_536);
    parts.push(Buffer.from([61 << 2, (piece.length - 1) & 255, (piece.length - 1) >> 8]), piece);
  }
  return Buffer.concat(parts);
}
