import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.ts';

/**
 * The resource graph, and the jobs and decisions of the recovery coordinator. Triggers derive the edges of a
 * process from its leases, so that no writer can forget them.
 */
export class ResourceGraph1795305606000 implements Migration {
  readonly name = 'ResourceGraph1795305606000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE graph_edges (
        src_kind text NOT NULL,
        src_id text NOT NULL,
        rel text NOT NULL,
        dst_kind text NOT NULL,
        dst_id text NOT NULL,
        attributes jsonb NOT NULL DEFAULT '{}',
        since timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT pk_graph_edges PRIMARY KEY (src_kind, src_id, rel, dst_kind, dst_id)
      );
      CREATE INDEX ix_graph_edges_dst ON graph_edges (dst_kind, dst_id);

      CREATE TABLE recovery_jobs (
        job_key text NOT NULL CONSTRAINT pk_recovery_jobs PRIMARY KEY,
        rule text NOT NULL,
        subject jsonb NOT NULL,
        phase text NOT NULL,
        data jsonb NOT NULL DEFAULT '{}',
        started_at timestamptz NOT NULL DEFAULT now(),
        deadline_at timestamptz NOT NULL,
        ended_at timestamptz,
        outcome text
      );
      CREATE INDEX ix_recovery_jobs_open ON recovery_jobs (started_at) WHERE ended_at IS NULL;

      CREATE TABLE recovery_decisions (
        id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT pk_recovery_decisions PRIMARY KEY,
        rule text NOT NULL,
        job_key text NOT NULL,
        inputs jsonb NOT NULL,
        outcome text NOT NULL,
        detail text NOT NULL,
        duration_ms integer NOT NULL,
        fence bigint NOT NULL,
        decided_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX ix_recovery_decisions_decided_at ON recovery_decisions (decided_at);
    `);
    await runner.query(edgeTriggers);
    await runner.query(ownershipTriggers);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER action_plans_owner ON action_plans;
      DROP TRIGGER audits_owner ON audits;
      DROP TRIGGER leases_owner ON leases;
      DROP TRIGGER service_instances_change ON service_instances;
      DROP TABLE recovery_decisions, recovery_jobs, graph_edges;
      DROP FUNCTION follow_owner();
      DROP FUNCTION record_edge_change();
      DROP FUNCTION record_instance_change();
    `);
  }
}

/** Changes of edges and instances go to the change log. A heartbeat is no change. */
const edgeTriggers = `
  CREATE FUNCTION record_edge_change() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    edge graph_edges := CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
  BEGIN
    IF TG_OP = 'UPDATE' AND to_jsonb(OLD) = to_jsonb(NEW) THEN
      RETURN NULL;
    END IF;
    INSERT INTO change_log (kind, entity_uuid, op, doc) VALUES (
      'graph_edge',
      concat_ws('|', edge.src_kind, edge.src_id, edge.rel, edge.dst_kind, edge.dst_id),
      CASE TG_OP WHEN 'INSERT' THEN 'create' WHEN 'UPDATE' THEN 'update' ELSE 'delete' END,
      CASE WHEN TG_OP = 'DELETE' THEN NULL ELSE to_jsonb(NEW) END
    );
    RETURN NULL;
  END $$;
  CREATE TRIGGER graph_edges_change AFTER INSERT OR UPDATE OR DELETE ON graph_edges
    FOR EACH ROW EXECUTE FUNCTION record_edge_change();

  CREATE FUNCTION record_instance_change() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    quiet CONSTANT text[] := ARRAY['last_seen_at', 'lease_expires_at', 'fence'];
  BEGIN
    IF TG_OP = 'UPDATE' AND to_jsonb(OLD) - quiet = to_jsonb(NEW) - quiet THEN
      RETURN NULL;
    END IF;
    INSERT INTO change_log (kind, entity_uuid, op, doc) VALUES (
      'service_instance',
      CASE WHEN TG_OP = 'DELETE' THEN OLD.instance_id ELSE NEW.instance_id END,
      CASE TG_OP WHEN 'INSERT' THEN 'create' WHEN 'UPDATE' THEN 'update' ELSE 'delete' END,
      CASE WHEN TG_OP = 'DELETE' THEN NULL ELSE to_jsonb(NEW) END
    );
    RETURN NULL;
  END $$;
  CREATE TRIGGER service_instances_change AFTER INSERT OR UPDATE OR DELETE ON service_instances
    FOR EACH ROW EXECUTE FUNCTION record_instance_change();
`;

/** `owns` edges: from the instance that holds a plan, an audit or a named lease. */
const ownershipTriggers = `
  CREATE FUNCTION follow_owner() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    kind CONSTANT text := TG_ARGV[0];
    old_owner text := CASE WHEN TG_OP = 'INSERT' THEN NULL ELSE to_jsonb(OLD) ->> TG_ARGV[1] END;
    new_owner text := CASE WHEN TG_OP = 'DELETE' THEN NULL ELSE to_jsonb(NEW) ->> TG_ARGV[1] END;
    owned text := CASE WHEN TG_OP = 'DELETE' THEN to_jsonb(OLD) ->> TG_ARGV[2] ELSE to_jsonb(NEW) ->> TG_ARGV[2] END;
  BEGIN
    IF old_owner IS NOT DISTINCT FROM new_owner THEN
      RETURN NULL;
    END IF;
    IF old_owner IS NOT NULL THEN
      DELETE FROM graph_edges WHERE src_kind = 'ServiceInstance' AND src_id = old_owner AND rel = 'owns'
        AND dst_kind = kind AND dst_id = owned;
    END IF;
    IF new_owner IS NOT NULL THEN
      INSERT INTO graph_edges (src_kind, src_id, rel, dst_kind, dst_id)
      VALUES ('ServiceInstance', new_owner, 'owns', kind, owned) ON CONFLICT DO NOTHING;
    END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER action_plans_owner AFTER INSERT OR DELETE OR UPDATE OF run_instance ON action_plans
    FOR EACH ROW EXECUTE FUNCTION follow_owner('Plan', 'run_instance', 'uuid');
  CREATE TRIGGER audits_owner AFTER INSERT OR DELETE OR UPDATE OF run_instance ON audits
    FOR EACH ROW EXECUTE FUNCTION follow_owner('Audit', 'run_instance', 'uuid');
  CREATE TRIGGER leases_owner AFTER INSERT OR DELETE OR UPDATE OF holder ON leases
    FOR EACH ROW EXECUTE FUNCTION follow_owner('Lease', 'holder', 'resource');
`;
