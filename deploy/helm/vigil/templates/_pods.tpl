{{- define "vigil.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{/* Fields of every pod. Pods pass the Pod Security standard "restricted". */}}
{{- define "vigil.pod" -}}
automountServiceAccountToken: false
# A Service named vigil would set VIGIL_PORT to a URL.
enableServiceLinks: false
securityContext:
  { runAsNonRoot: true, runAsUser: 1000, runAsGroup: 1000, seccompProfile: { type: RuntimeDefault } }
{{- range $index, $name := .Values.imagePullSecrets }}
{{- if eq $index 0 }}
imagePullSecrets:
{{- end }}
  - name: {{ $name }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
volumes:
  - { name: tmp, emptyDir: { sizeLimit: 128Mi } }
{{- end }}

{{/* Fields of every container. */}}
{{- define "vigil.container" -}}
image: {{ include "vigil.image" . | quote }}
{{- with .Values.image.pullPolicy }}
imagePullPolicy: {{ . }}
{{- end }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: ["ALL"] }
volumeMounts:
  - { name: tmp, mountPath: /tmp }
{{- end }}

{{- define "vigil.secret" -}}
{{ .Values.secretName | default .Release.Name }}
{{- end }}
