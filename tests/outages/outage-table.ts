import type { Observation } from './observe-outage.ts';

const titles = {
  postgresql: 'PostgreSQL',
  rabbitmq: 'RabbitMQ',
  keystone: 'Keystone',
  nova: 'Nova',
  history: 'history store',
} as const;

const manners = { stopped: 'stopped', refusing: 'returns 503', hung: 'hung', slow: 'slow' } as const;

/** Renders the failure matrix as Markdown. */
export function outageTable(seen: readonly Observation[]): string {
  const rows = seen.map((each) => {
    const api = each.read < 300 && each.write < 300 ? 'reads and writes' : refusal(each);
    const work = (isOpen: boolean) => (isOpen ? 'works on' : 'holds');
    const after = `audit ${each.audit}, plan ${each.plan} (${each.moves} moves) after ${each.recoveredSeconds} s`;
    const cells = [
      titles[each.outage],
      manners[each.manner],
      api,
      work(each.engineOpen),
      work(each.applierOpen),
      after,
    ];
    return `| ${cells.join(' | ')} |`;
  });
  const head = ['what is away', 'how', 'API', 'decision engine', 'applier', 'after its return'];
  return [`| ${head.join(' | ')} |`, `| ${head.map(() => '---').join(' | ')} |`, ...rows, ''].join('\n');
}

function refusal({ read, write, named, hasRetryAfter }: Observation): string {
  const retry = hasRetryAfter ? ', `Retry-After: 5`' : '';
  return `read ${read}, write ${write}${named ? `, names ${named}` : ''}${retry}`;
}
